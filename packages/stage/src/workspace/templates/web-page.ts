/** The page of every web project: plain markup and a style sheet worth iterating on. */
function pageHtml(title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="/styles.css">
  </head>
  <body>
    <header class="bar"><h1>${title}</h1></header>
    <main class="board">
      <form class="add" id="add">
        <input name="title" placeholder="What is to be done?" aria-label="New task" required>
        <button type="submit">Add</button>
      </form>
      <ul class="tasks" id="tasks"></ul>
    </main>
    <script src="/app.js"></script>
  </body>
</html>
`;
}

const pageStyles = `:root {
  --ink: #1f2933;
  --accent: #2563eb;
  --paper: #f5f7fa;
}

body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif;
}

.bar {
  padding: 16px 24px;
  background: #ffffff;
  border-bottom: 1px solid #d9e2ec;
}

.bar h1 {
  margin: 0;
  font-size: 24px;
}

.board {
  max-width: 640px;
  margin: 32px auto;
  padding: 0 24px;
}

.add {
  display: flex;
  gap: 8px;
}

.add input {
  flex: 1;
  padding: 8px 12px;
}

.add button {
  padding: 8px 32px;
  border: 0;
  border-radius: 0;
  background: var(--accent);
  color: #ffffff;
}

.tasks {
  padding: 0;
  list-style: none;
}

.tasks li {
  margin-top: 8px;
  padding: 12px;
  background: #ffffff;
}

.tasks .done {
  text-decoration: line-through;
}
`;

const pageScript = `const list = document.querySelector('#tasks');

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
`;

/** The static files, below a folder of the template's choice. */
export function pageFiles(folder: string, title: string): Record<string, string> {
  return {
    [`${folder}/index.html`]: pageHtml(title),
    [`${folder}/styles.css`]: pageStyles,
    [`${folder}/app.js`]: pageScript,
  };
}
