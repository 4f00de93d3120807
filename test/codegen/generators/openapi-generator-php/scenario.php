<?php
/** The scenario with the PHP client of openapi-generator. */

declare(strict_types=1);

use OpenAPI\Client\Api\WebhooksApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\AddressActivityHeaders;
use OpenAPI\Client\Model\AddressActivityNotification;
use OpenAPI\Client\Model\ConditionInput;
use OpenAPI\Client\Model\EventType;
use OpenAPI\Client\Model\WebhookCreate;
use OpenAPI\Client\Model\WebhookMetadataInput;
use OpenAPI\Client\Model\WebhookStatus;
use OpenAPI\Client\Model\WebhookUpdate;
use OpenAPI\Client\ObjectSerializer;

// What Composer would do; Guzzle is Debian's.
require_once 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/client/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
error_reporting(E_ALL);
set_error_handler(function (int $level, string $message, string $file): bool {
    // Guzzle is older than this PHP.
    if (str_starts_with($file, '/usr/share/php/')) {
        return false;
    }
    throw new ErrorException($message, 0, $level, $file);
});

$configuration = new Configuration();
$configuration->setHost((string) getenv('BASE_URL'))->setApiKey('x-service-api-key', (string) getenv('API_KEY'));
$api = new WebhooksApi(null, $configuration);

function body(string $name, string $chainId = '43112'): WebhookCreate
{
    return new WebhookCreate([
        'url' => 'https://example.com/hooks',
        'chain_id' => $chainId,
        'event_type' => EventType::ADDRESS_ACTIVITY,
        'metadata' => new WebhookMetadataInput([
            'addresses' => ['0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85'],
            'conditions' => new ConditionInput(['field' => 'transaction.value', 'op' => 'in', 'value' => ['1', '2']]),
        ]),
        'include_logs' => true,
        'name' => $name,
        'finality' => 'finalized',
    ]);
}

function refused(callable $act): mixed
{
    try {
        $act();
    } catch (ApiException $failure) {
        return $failure->getResponseObject();
    }
    throw new RuntimeException('It was not refused.');
}

$created = array_map(fn($name) => $api->createWebhook(body($name))->getId(), ['one', 'two', 'three', 'four', 'five']);
$first = $created[0];
$read = $api->getWebhook($first);
$update = new WebhookUpdate(['name' => 'renamed', 'status' => WebhookStatus::INACTIVE]);
$updated = $api->updateWebhook($first, $update);

$pages = [];
$pageToken = null;
do {
    $page = $api->listWebhooks(null, $pageToken, 2);
    $pages[] = array_map(fn($webhook) => $webhook->getId(), $page->getWebhooks());
    $pageToken = $page->getNextPageToken();
} while ($pageToken);

$badRequest = refused(fn() => $api->createWebhook(body('nowhere', '999999')));
$deleted = $api->deleteWebhook($first);
$gone = refused(fn() => $api->getWebhook($first));

$file = json_decode((string) file_get_contents((string) getenv('NOTIFICATION')));
/** @var AddressActivityNotification $notification */
$notification = ObjectSerializer::deserialize($file->value, AddressActivityNotification::class);
$transaction = $notification->getEvent()->getTransaction();
$log = $notification->getEvent()->getLogs()[0];
$received = json_decode((string) file_get_contents((string) getenv('HEADERS')));
/** @var AddressActivityHeaders $headers */
$headers = ObjectSerializer::deserialize($received, AddressActivityHeaders::class);
echo json_encode([
    'created' => $created,
    'read' => [
        'id' => $read->getId(),
        'name' => $read->getName(),
        'createdAt' => $read->getCreatedAt(),
        'address' => $read->getMetadata()->getAddresses()[0],
        'conditions' => $read->getMetadata()->getConditions(),
        'finality' => $read->getFinality(),
    ],
    'updated' => ['id' => $updated->getId(), 'name' => $updated->getName(), 'status' => $updated->getStatus()],
    'pages' => $pages,
    'badRequest' => $badRequest,
    'deleted' => ['id' => $deleted->getId(), 'status' => $deleted->getStatus()],
    'gone' => $gone,
    'notification' => [
        'txHash' => $transaction->getTxHash(),
        'blockTimestamp' => $transaction->getBlockTimestamp(),
        'topics' => [$log->getTopic0(), $log->getTopic3()],
    ],
    'headers' => ['id' => $headers->getWebhookId(), 'sequence' => $headers->getWebhookSequence()],
]), "\n";
