/** NestJS. What is mounted before it listens comes before its body parsers. */
import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { createExpressReceiver } from "chain-webhooks/receiver";
import { options } from "./options.ts";

@Module({})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ["error"] });
app.use("/hooks", createExpressReceiver(options));
await app.listen(Number(process.env.PORT), "127.0.0.1");
