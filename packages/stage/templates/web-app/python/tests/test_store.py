import unittest

from board.store import TaskStore


class TaskStoreTest(unittest.TestCase):
    def test_numbers_tasks_from_one(self):
        store = TaskStore()
        self.assertEqual([store.add("write").id, store.add("test").id], [1, 2])

    def test_refuses_an_empty_title(self):
        with self.assertRaises(ValueError):
            TaskStore().add("   ")

    def test_finishes_a_task(self):
        store = TaskStore()
        store.add("write")
        store.finish(1)
        self.assertEqual(store.all(), [{"id": 1, "title": "write", "done": True}])

    def test_does_not_finish_what_is_not_there(self):
        with self.assertRaises(KeyError):
            TaskStore().finish(7)


if __name__ == "__main__":
    unittest.main()
