// What the client asks of NuGet and Debian does not have: Newtonsoft.Json after 6, and Polly, whose retries nobody sets here. The client
// finds these types first, since they are in its own outer namespace. Each field has its name in an attribute, so that a naming strategy
// has nothing to name.
using System;
using System.Threading.Tasks;

namespace Org.OpenAPITools
{
    public class CamelCaseNamingStrategy
    {
        public bool OverrideSpecifiedNames { get; set; }
    }

    public class DefaultContractResolver : Newtonsoft.Json.Serialization.DefaultContractResolver
    {
        public CamelCaseNamingStrategy NamingStrategy { get; set; }
    }
}

namespace Polly
{
    public enum OutcomeType { Successful, Failure }

    public class PolicyResult<T>
    {
        public OutcomeType Outcome { get; set; }
        public T Result { get; set; }
        public Exception FinalException { get; set; }
    }

    public interface ISyncPolicy<T> { }

    public interface IAsyncPolicy<T>
    {
        Task<PolicyResult<T>> ExecuteAndCaptureAsync(Func<Task<T>> action);
    }
}
