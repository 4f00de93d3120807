/** NestJS on Fastify. */
import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { createFastifyReceiver } from "chain-webhooks/receiver";
import { options } from "./options.ts";

@Module({})
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: ["error"] });
app.register(createFastifyReceiver(options), { prefix: "/hooks" });
await app.listen(Number(process.env.PORT), "127.0.0.1");
