const KEY = 'taproot.theme';

type Theme = 'light' | 'dark';

/** By default, applies the theme of the system. */
export function applyTheme(): void {
  setTheme(currentTheme());
}

export function currentTheme(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  setTheme(theme);
}

function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
