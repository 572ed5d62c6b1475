import { useEffect, useState } from 'preact/hooks';

type Theme = 'light' | 'dark';

const KEY = 'understudy-theme';

function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    // A page from a file may have no storage.
    return undefined;
  }
}

export function ThemeButton() {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const [theme, setTheme] = useState<Theme>(stored() ?? system);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = () => {
    setTheme(other);
    try {
      localStorage.setItem(KEY, other);
    } catch {
      // Then it holds for this page.
    }
  };
  return (
    <button type="button" class="quiet" onClick={change} aria-label={`Use ${other} colors`}>
      {theme === 'dark' ? '☀' : '☾'}
    </button>
  );
}
