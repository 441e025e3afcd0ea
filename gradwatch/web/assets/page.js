// Keys are the terminal's from the first moment, and again whenever the window gets them back.
for (const event of ["load", "focus"]) {
  window.addEventListener(event, () => document.querySelector(".xterm-helper-textarea")?.focus());
}
