// Where the focus goes: to a question when it opens, back when it is answered, and never nowhere.
import type { Attachment } from "svelte/attachments";

/** Whether a key was used last: whoever points needs no ring around what has the focus. */
export const keys = { used: false };
if (typeof window !== "undefined") {
  addEventListener("keydown", () => (keys.used = true), true);
  addEventListener("pointerdown", () => (keys.used = false), true);
}

type Focusable = HTMLElement | SVGElement;

const taking =
  (options: FocusOptions): Attachment<HTMLElement> =>
  (node) => {
    const before = document.activeElement;
    const first = "input, button:not(:disabled)";
    (node.matches(first) ? node : node.querySelector<Focusable>(first))?.focus(options);
    return () => {
      const lost =
        document.activeElement === document.body || node.contains(document.activeElement);
      if (lost && before?.isConnected) (before as Focusable).focus({ preventScroll: true });
    };
  };

/** Opens with the focus, and gives it back to what had it. */
export const takesFocus = taking({});
/** The same where the page must stay as it is: what is asked about is seen above. */
export const takesFocusStill = taking({ preventScroll: true });

/**
 * Whoever uses keys must not begin at the top of the page again because a button has done its work
 * and is gone: what stands beside it takes the focus, or else `home` gets it.
 */
export function keepsFocus(home: () => void): Attachment<HTMLElement> {
  return (node) => {
    let held: { element: Element; beside: Element | null } | null = null;
    const note = (event: FocusEvent): void => {
      const element = event.target as Element;
      held = { element, beside: element.parentElement };
    };
    const left = (event: FocusEvent): void => {
      if (event.relatedTarget && !node.contains(event.relatedTarget as Node)) held = null;
    };
    const look = (): void => {
      if (!held) return;
      const { element, beside } = held;
      const now = document.activeElement;
      if ((now !== document.body && now !== element) || usable(element)) return;
      held = null;
      const near = beside?.isConnected && beside !== node ? beside.querySelector(NEAR) : null;
      if (near) (near as Focusable).focus();
      else home();
    };
    const observer = new MutationObserver(look);
    observer.observe(node, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled"],
    });
    node.addEventListener("focusin", note);
    node.addEventListener("focusout", left);
    return () => {
      observer.disconnect();
      node.removeEventListener("focusin", note);
      node.removeEventListener("focusout", left);
    };
  };
}

const NEAR = "button:not(:disabled), a[href]";
const usable = (element: Element): boolean => element.isConnected && !element.matches(":disabled");
