/** A process that is killed after some of its statements, whichever they are. Those it has sent take effect, as far as they were committed. */

export class Killed extends Error {}

/** How long a process lives, in statements, and what happens around it while it lives. */
export type Life = {
  statements: number;
  /** Called where the process holds no lock, before a statement. */
  meanwhile?: () => Promise<void>;
};

/** @returns a pool, or a client of it, that a process has as long as it lives */
export function mortal<T extends object>(of: T, life: Life): T {
  return new Proxy(of, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      if (key === "connect") return async () => mortal(await value.call(target), life);
      if (key !== "query") return value.bind(target);
      return async (...args: unknown[]) => {
        if (life.statements <= 0) throw new Killed();
        if (args[0] === "BEGIN") await life.meanwhile?.();
        const result = await value.apply(target, args);
        life.statements -= 1;
        if (life.statements <= 0) throw new Killed();
        return result;
      };
    },
  });
}
