// Before anything is drawn: the colours chosen last time, if any were.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  // no storage: the system's choice holds
}
