/** VitePress' own theme with the system's fonts: nothing to download before the first word is read. */
import { inBrowser, type Router, type Theme } from "vitepress";
import DefaultTheme, { VPButton } from "vitepress/theme-without-fonts";
import { OldAnchors, TryIt } from "./reference.ts";
// After the theme's own, which they change.
import "./style.css";
import "./reference.css";
import LivePicture from "./home/LivePicture.vue";
import "./home/home.css";

const ours: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app, router }) {
    app
      .component("TryIt", TryIt)
      .component("OldAnchors", OldAnchors)
      .component("LivePicture", LivePicture)
      .component("VPButton", VPButton);
    askServerWhereNothingLoads(router);
  },
};
export default ours;

/**
 * Where the next page's script does not load, VitePress says that there is no such page. The network may be away, or the service was upgraded
 * since this page was opened, and its scripts have other names. So the browser asks for the page itself, and says what is the matter.
 */
function askServerWhereNothingLoads(router: Router): void {
  if (!inBrowser) return;
  let isFirst = true;
  router.onAfterRouteChange = () => {
    const { isNotFound } = router.route.data;
    // What was sent of the first page can be read without its script, and asking for it again would not end. VitePress then takes over nothing.
    if (isNotFound && isFirst) throw new Error("The page's script did not load.");
    if (isNotFound) location.reload();
    isFirst = false;
  };
}
