// Receives notifications with HttpListener, and verifies them with what .NET has. With .NET: `dotnet run`. With Mono:
//
//   mcs Receiver.cs
//   WEBHOOK_SECRET=whsec_… mono Receiver.exe
using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

static class Receiver
{
    static readonly ConcurrentDictionary<string, bool> Handled = new ConcurrentDictionary<string, bool>();

    static bool IsSigned(byte[] body, Func<string, string> header, byte[] key)
    {
        if (!long.TryParse(header("webhook-timestamp"), out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
        var signed = Encoding.UTF8.GetBytes($"{header("webhook-id")}.{header("webhook-timestamp")}.").Concat(body).ToArray();
        var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(new HMACSHA256(key).ComputeHash(signed)));
        var signatures = (header("webhook-signature") ?? "").Split(' '); // Two, for 24 hours after a rotation.
        return signatures.Any(one => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(one), expected));
    }

    static int Receive(HttpListenerRequest request, byte[] key)
    {
        if (request.ContentLength64 < 0 || request.ContentLength64 > 32 * 1024 * 1024) return 413;
        var body = new MemoryStream(); // The signature covers the bytes as they arrived.
        request.InputStream.CopyTo(body);
        if (!IsSigned(body.ToArray(), name => request.Headers[name], key)) return 400;
        var messageId = request.Headers["webhook-id"]; // The same as in the body.
        if (Handled.ContainsKey(messageId)) return 204; // Delivery is at least once. Use a unique key in your database.
        Console.WriteLine($"{request.Headers["webhook-sequence"]} {messageId}");
        Handled[messageId] = true; // After the work: if it throws, the service retries.
        return 204;
    }

    static void Answer(HttpListenerContext context, byte[] key)
    {
        try { context.Response.StatusCode = Receive(context.Request, key); }
        catch (Exception error) { Console.Error.WriteLine(error); context.Response.StatusCode = 500; }
        context.Response.Close();
    }

    static void Main()
    {
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";
        if (secret.Length <= "whsec_".Length) throw new Exception("WEBHOOK_SECRET must be the webhook's secret");
        var key = Convert.FromBase64String(secret.Substring("whsec_".Length));
        var address = $"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT") ?? "4000"}/hooks/";
        var listener = new HttpListener { Prefixes = { address } };
        listener.Start();
        Console.WriteLine($"Listening at {address}");
        while (true) { var context = listener.GetContext(); Task.Run(() => Answer(context, key)); }
    }
}
