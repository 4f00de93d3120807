<?php
// Receives notifications with PHP alone: in its own server, or behind nginx and PHP-FPM.
//
//   WEBHOOK_SECRET=whsec_… php -d post_max_size=32M -S 127.0.0.1:${PORT:-4000} receiver.php
declare(strict_types=1);

const MOST_BYTES = 32 * 1024 * 1024;

function isSigned(string $body, string $secret): bool
{
    [$id, $timestamp, $signatures] = array_map(
        fn (string $name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '',
        ['ID', 'TIMESTAMP', 'SIGNATURE'],
    );
    if (abs(time() - (int) $timestamp) > 300) return false;
    $key = base64_decode(substr($secret, strlen('whsec_')));
    if ($key === '') throw new LogicException("WEBHOOK_SECRET must be the webhook's secret");
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Two signatures for 24 hours after a rotation.
    foreach (explode(' ', $signatures) as $signature) if (hash_equals($expected, $signature)) return true;
    return false;
}

function receive(): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') return 405;
    // The signature covers the bytes as they arrived.
    $body = file_get_contents('php://input', false, null, 0, MOST_BYTES + 1);
    if (strlen($body) > MOST_BYTES) return 413;
    if (!isSigned($body, (string) getenv('WEBHOOK_SECRET'))) return 400;
    ['messageId' => $messageId] = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    // Delivery is at least once. A real program has a unique key in its database.
    $handled = sys_get_temp_dir() . "/handled-$messageId";
    if (file_exists($handled)) return 204;
    file_put_contents('php://stdout', "{$_SERVER['HTTP_WEBHOOK_SEQUENCE']} $messageId\n");
    touch($handled); // After the work: if it throws, the service retries.
    return 204;
}

http_response_code(receive());
