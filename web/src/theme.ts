// Dark or light: as the address says, as it was left, or as the system has it.
import type { Theme } from "./stage";

const KEY = "supple-theme";

/** The theme to begin with; `wish` goes before everything. */
export function chosenTheme(wish: string | null = null): Theme {
  if (isTheme(wish)) return wish;
  try {
    const stored = localStorage.getItem(KEY);
    if (isTheme(stored)) return stored;
  } catch {
    // Private windows may refuse; the theme then lasts as long as the page.
  }
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

/** Let the page wear a theme, and remember it. */
export function wearTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // As above.
  }
}

/** The theme that the page does not wear. */
export function otherTheme(): Theme {
  return document.documentElement.dataset.theme === "light" ? "dark" : "light";
}

function isTheme(text: string | null): text is Theme {
  return text === "dark" || text === "light";
}
