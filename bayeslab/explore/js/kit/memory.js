// What the browser remembers from one visit to the next, as texts by name.

export function kept(name) {
  try {
    return localStorage.getItem(`bayeslab ${name}`);
  } catch {
    return null; // a page that may keep nothing
  }
}

export function keep(name, text) {
  try {
    localStorage.setItem(`bayeslab ${name}`, text);
  } catch { /* it stays as long as the page is open */ }
}
