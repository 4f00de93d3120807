/** The docs page's console, as a reader works it. */
import type { Browser, BrowserContextOptions, Locator } from "playwright-core";
import { openPage, textOf, type Watched } from "./page.ts";

/** A page with its console, and what can be done with it. */
export type Console = Awaited<ReturnType<typeof openConsole>>;

/** Opens a page that reaches one origin only, and in it the console. @param address the page's, below that origin or on a disk */
export async function openConsole(
  browser: Browser,
  origin: string,
  address: string,
  options: BrowserContextOptions = {},
) {
  const watched: Watched = await openPage(browser, origin, options);
  const { page } = watched;
  await page.goto(address);
  await page.getByRole("button", { name: "Try it" }).click();
  const field = (name: string): Locator => page.locator("#try-it").getByLabel(name);
  const answer = page.getByRole("status", { name: "Answer" });
  const press = (name: string): Promise<void> => page.getByRole("button", { name }).click();
  return {
    ...watched,
    field,
    answer,
    press,
    key: page.getByLabel("API key (x-service-api-key)"),
    /** Chooses an operation and sends it as it is filled in. @returns the status line */
    send: async (operationId?: string): Promise<string> => {
      if (operationId) await field("Operation").selectOption(operationId);
      await press("Send");
      const status = answer.locator(".try-status");
      await status.waitFor();
      return textOf(status);
    },
    /** The answer's body. */
    // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape is what they test
    body: async (): Promise<any> => JSON.parse(await textOf(answer.getByLabel("Response body"))),
  };
}
