const list = document.querySelector('#tasks');

async function show() {
  const tasks = await (await fetch('/api/tasks')).json();
  list.replaceChildren(
    ...tasks.map((task) => {
      const item = document.createElement('li');
      item.textContent = task.title;
      item.className = task.done ? 'done' : '';
      return item;
    }),
  );
}

document.querySelector('#add').addEventListener('submit', async (event) => {
  event.preventDefault();
  const title = new FormData(event.target).get('title');
  await fetch('/api/tasks', { method: 'POST', body: JSON.stringify({ title }) });
  event.target.reset();
  await show();
});

show();
