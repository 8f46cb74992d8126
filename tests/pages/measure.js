// What of a page is wider than its window, or may be cut by paper. Evaluated in the page; gives a list of findings.
(() => {
  const wide = document.documentElement.clientWidth, found = [];
  const told = (element) => `${element.tagName.toLowerCase()}.${element.className.baseVal ?? element.className} "${element.textContent.trim().slice(0, 40)}"`;
  if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide in ${wide}`);
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    if (element.scrollWidth > element.clientWidth + 1 && ["auto", "scroll"].includes(style.overflowX)) found.push(`${told(element)} scrolls`);
    if (element.closest(".copy > div, script, style, noscript") || (element.closest("svg") && element.tagName !== "svg")) continue;
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > wide + 1 || box.left < -1)) found.push(`${told(element)} from ${Math.round(box.left)} to ${Math.round(box.right)} in ${wide}`);
  }
  // a formula ends before its number begins
  for (const formula of document.querySelectorAll(".formula")) {
    const number = formula.querySelector(".copy"), right = formula.querySelector(".right");
    if (!number || !right) continue;
    const limit = number.getBoundingClientRect().left;
    for (const math of right.querySelectorAll("math")) {
      const box = math.getBoundingClientRect();
      if (box.width && box.right > limit + 1) found.push(`${told(math)} runs into its number by ${Math.round(box.right - limit)}`);
    }
  }
  // text of a picture stays in the picture
  for (const svg of document.querySelectorAll("figure svg")) {
    const frame = svg.getBoundingClientRect();
    if (!frame.width) continue;
    for (const text of svg.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      if (box.width && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1))
        found.push(`the text "${text.textContent}" leaves its picture`);
    }
  }
  return found.slice(0, 12);
})()
