/** Plays the story in the picture: by itself, unless the reader prefers less motion, and by what the reader presses. */
import { still } from "virtual:still";
import { computed, nextTick, onMounted, onUnmounted, ref, shallowRef } from "vue";
import type { Frame, Post, ShownBlock, Story } from "./story.ts";

/** Long enough to see one block's requests before the next block comes. */
const blockEveryMs = 4_200;

/** For the picture's component. @returns what it shows, and what its buttons do */
export function usePlayer() {
  /** What the build has made, until the browser has loaded the story. */
  const frame = shallowRef<Frame>(still);
  const story = shallowRef<Story>();
  const isPlaying = ref(false);
  const prefersStill = ref(false);
  /** What a press of a button did, for screen readers. What plays by itself is not read out. */
  const said = ref("");
  const opened = shallowRef<Post>();
  const dialog = ref<HTMLDialogElement>();
  const root = ref<HTMLElement>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSeen = false;
  let isOver = false;

  async function load(): Promise<void> {
    // A browser signs only in pages that came by https, or from its own machine. Elsewhere the still picture stays.
    if (!globalThis.crypto?.subtle) return;
    const [{ begin, Story }, { extracts }] = await Promise.all([import("./story.ts"), import("virtual:recorded")]);
    const key = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))));
    const loaded = new Story(extracts, { webhookId: crypto.randomUUID(), secret: `whsec_${key}`, now: Date.now });
    await begin(loaded);
    story.value = loaded;
    frame.value = loaded.frame();
  }

  async function act(action: (story: Story) => Promise<void>): Promise<void> {
    if (!story.value) return;
    await action(story.value);
    frame.value = story.value.frame();
    if (!frame.value.hasNext) isPlaying.value = false;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!isPlaying.value || isOver) return;
    timer = setTimeout(async () => {
      if (isPlaying.value && isSeen && !document.hidden && !dialog.value?.open) await act((one) => one.next());
      schedule();
    }, blockEveryMs);
  }

  function play(isOn: boolean): void {
    isPlaying.value = isOn && frame.value.hasNext && !prefersStill.value;
    schedule();
  }

  async function byHand(action: (story: Story) => Promise<void>): Promise<void> {
    const before = frame.value.posts[0]?.sequence ?? 0;
    await act(action);
    const sent = frame.value.posts.filter(({ sequence }) => sequence > before).reverse();
    said.value = sent.length > 0 ? sent.map(textOf).join(" ") : "Nothing in the block concerns the webhook.";
    schedule();
  }

  async function again(): Promise<void> {
    await load();
    said.value = "";
    play(true);
  }

  let onEnd = () => {};
  onMounted(async () => {
    const query = matchMedia("(prefers-reduced-motion: reduce)");
    const followPreference = () => {
      prefersStill.value = query.matches;
      if (query.matches) play(false);
    };
    const observer = new IntersectionObserver((entries) => {
      isSeen = entries.some(({ isIntersecting }) => isIntersecting);
    });
    onEnd = () => {
      query.removeEventListener("change", followPreference);
      observer.disconnect();
    };
    followPreference();
    query.addEventListener("change", followPreference);
    if (root.value) observer.observe(root.value);
    await again();
  });
  onUnmounted(() => {
    isOver = true;
    clearTimeout(timer);
    onEnd();
  });

  return {
    ...{ frame, isPlaying, prefersStill, said, opened, dialog, root },
    isLive: computed(() => story.value !== undefined),
    openedBody: computed(() => opened.value && JSON.stringify(JSON.parse(opened.value.body), null, 2)),
    playOrPause: () => (frame.value.hasNext ? play(!isPlaying.value) : again()),
    async nextBlock() {
      if (frame.value.hasNext) return await byHand((one) => one.next());
      await again();
      said.value = "The chain begins again.";
    },
    reorganise: () => byHand((one) => one.reorganise()),
    toggle: (address: string) => act((one) => one.toggle(address)),
    async open(post: Post) {
      opened.value = post;
      // The button that closes it must be there to have the focus.
      await nextTick();
      dialog.value?.showModal();
    },
  };
}

const textOf = ({ sequence, what, takesBack }: Post) =>
  takesBack === undefined ? `Notification ${sequence}: ${what}.` : `Notification ${sequence} takes back ${takesBack}.`;

/** @example short("0xdac17f958d2ee523a2206206994597c13d831ec7") // "0xdac1…1ec7" */
export const short = (hex: string) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

export function textOfBlock({ transactions, count }: ShownBlock): string {
  const matched = transactions.filter(({ isMatch }) => isMatch).length;
  return `${transactions.length} of its ${count} transactions, ${matched} of them matched`;
}
