/** What somebody's test does with `notify`, in each of the real frameworks. */
import assert from "node:assert/strict";
import Router from "@koa/router";
import {
  createExpressReceiver,
  createFastifyReceiver,
  createFetchReceiver,
  createKoaReceiver,
  createNodeReceiver,
  type ReceiverOptions,
} from "chain-webhooks/receiver";
import { type NotifyTarget, notify, testSecret } from "chain-webhooks/testing";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import supertest from "supertest";

const received: string[] = [];
const options: ReceiverOptions = {
  secret: testSecret,
  onNotification: ({ messageId }) => void received.push(messageId),
};
const app = express().post("/hooks", createExpressReceiver(options));
const inject = fastify();
inject.register(createFastifyReceiver(options), { prefix: "/hooks" });
const koa = new Koa().use(new Router().post("/hooks", createKoaReceiver(options)).routes());
const targets: Record<string, NotifyTarget> = {
  "supertest's request": supertest(app),
  "an agent of supertest": supertest.agent(app),
  Express: app,
  Fastify: inject,
  Hono: new Hono().mount("/hooks", createFetchReceiver(options)),
  Koa: koa.callback(),
  "node:http": createNodeReceiver(options),
  Fetch: createFetchReceiver(options),
};
for (const [name, target] of Object.entries(targets)) {
  received.length = 0;
  assert.equal((await notify(target, "native-transfer")).status, 204, name);
  assert.equal(received.length, 1, name);
  const refused = await notify(target, "native-transfer", { fault: "tampered" });
  assert.equal(refused.status, 400, name);
  assert.equal(((await refused.json()) as { code: string }).code, "invalid_signature", name);
}
console.log(`${Object.keys(targets).length} kinds of targets`);
