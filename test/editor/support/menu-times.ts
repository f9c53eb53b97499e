// How long the menu of actions takes to open: in the page, from the key to the list.
import type { Page } from "playwright-core";

export interface OpenedMenu {
  /** From the press of the key to the list being there. */
  readonly milliseconds: number;
  /** None where the editor says that there are no actions. */
  readonly titles: readonly string[];
}

/** Opens the menu at the cursor and closes it again. */
export async function openMenu(page: Page): Promise<OpenedMenu> {
  await page.evaluate(watchForMenu);
  await page.keyboard.press("Control+.");
  const opened = (await page.evaluate("window.openedMenu")) as OpenedMenu;
  await page.keyboard.press("Escape");
  const shown = page.locator(".action-widget:visible, .monaco-editor-overlaymessage:visible");
  await shown.first().waitFor({ state: "hidden" });
  return opened;
}

/** Runs in the page, so that no polling from outside has a part in the time. */
const watchForMenu = `
  window.openedMenu = new Promise((resolve) => {
    let pressed = null;
    const onKey = ({ key, ctrlKey, timeStamp }) => {
      if (key === "." && ctrlKey) pressed ??= timeStamp;
    };
    window.addEventListener("keydown", onKey, { capture: true });
    // A closed menu stays in the page, and is not drawn.
    const isSeen = (element) => element.getClientRects().length > 0;
    const seen = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);
    const observer = new MutationObserver(() => {
      const actions = seen(".action-widget .action");
      const isNothing = actions.length === 0 && seen(".monaco-editor-overlaymessage").length === 0;
      if (pressed === null || isNothing) return;
      observer.disconnect();
      window.removeEventListener("keydown", onKey, { capture: true });
      const titles = actions.map((action) => action.textContent.trim());
      resolve({ milliseconds: performance.now() - pressed, titles });
    });
    observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  undefined;
`;
