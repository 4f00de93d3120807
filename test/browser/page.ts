/** A page in Chromium that reaches one origin only, and takes down what it asked for and what it complained of. */
import type { Browser, BrowserContextOptions, Locator } from "playwright-core";

/** The page, and what it did. */
export type Watched = Awaited<ReturnType<typeof openPage>>;

/** @param origin the only one that the page may reach; all others are cut off, and reported by `strangers` */
export async function openPage(browser: Browser, origin: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const complaints: string[] = [];
  const strangers: string[] = [];
  await context.route("**", async (route) => {
    const url = route.request().url();
    const isOwn = url.startsWith(`${origin}/`) || url.startsWith("file:");
    if (!isOwn) strangers.push(url);
    // A page that is closed meanwhile has given it up.
    await (isOwn ? route.continue() : route.abort()).catch(() => undefined);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints, strangers, close: () => context.close() };
}

/** The text of an element that is there. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? "";
}

/** The size of a PNG, and how many colours it has. A blank page has one. */
export async function look(browser: Browser, png: Buffer): Promise<{ width: number; height: number; colours: number }> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const counted = await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(png.toString("base64"))}), (one) => one.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
      canvas.drawImage(image, 0, 0);
      const pixels = new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer);
      return { width: image.width, height: image.height, colours: new Set(pixels).size };
    })()`);
    return counted as { width: number; height: number; colours: number };
  } finally {
    await context.close();
  }
}
