/**
 * The ids of webhooks. Those of an account begin alike, so that an index with the webhook behind the address has them next to each other: a lookup
 * passes over all of an account that is set apart, however many of its webhooks watch an address. Of 10,000 webhooks that watch 1,000 addresses of
 * a block it would read ten million entries otherwise, in six seconds.
 */

/** Of an account by its tag, 48 bits, as digits of a UUID. The tag itself is no business of those who get notifications. */
const start = (tag: string) => `(left(md5(${tag}), 8) || '-' || substr(md5(${tag}), 9, 4))`;
const startLength = 13;

/** Selects a new webhook's id. @param random a random UUID */
export const ownId = (tag: string, random: string) =>
  `(${start(tag)} || substr(${random}::uuid::text, ${startLength + 1}))::uuid`;

const zero = "00000000-0000-0000-0000-000000000000";
const last = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Selects what is between the webhooks of accounts that are set apart on a chain, and of some others: ranges by the columns `after` and `before`, which
 * have every webhook of a lane. Nothing is passed over that has one, whatever it is called: it may be from another cell.
 *
 * @param others the ids of the other accounts
 */
export const idsBesides = ({ chainId, lane, others }: { chainId: string; lane: string; others: string }) => `
  (SELECT lag(ends, 1, '${zero}'::uuid) OVER (ORDER BY ends) AS after, starts AS before FROM (
     SELECT (${start("a.tag")} || substr('${zero}', ${startLength + 1}))::uuid AS starts,
       (${start("a.tag")} || substr('${last}', ${startLength + 1}))::uuid AS ends
     FROM accounts a WHERE a.id IN (SELECT apart_account FROM chain_lanes WHERE chain_id = ${chainId} UNION SELECT unnest(${others}))
     UNION ALL SELECT '${last}', '${last}') apart
   WHERE ends = '${last}' OR NOT EXISTS (
     SELECT FROM webhooks w WHERE w.chain_id = ${chainId} AND w.lane = ${lane} AND w.id BETWEEN apart.starts AND apart.ends))`;
