"""metric_messages.py - reads Prometheus' delimited protocol buffers by Google's library. The messages' fields and their
numbers are those that https://github.com/prometheus/client_model publishes; reading fails on any that is not listed here."""
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "io.prometheus.client"
TYPES = {"double": 1, "uint64": 4, "string": 9, "message": 11, "uint32": 13, "enum": 14, "sint32": 17, "sint64": 18}
MESSAGES = {
    "LabelPair": [("name", 1, "string"), ("value", 2, "string")],
    "Gauge": [("value", 1, "double")],
    "Counter": [("value", 1, "double")],
    "Bucket": [("cumulative_count", 1, "uint64"), ("upper_bound", 2, "double")],
    "BucketSpan": [("offset", 1, "sint32"), ("length", 2, "uint32")],
    "Histogram": [("sample_count", 1, "uint64"), ("sample_sum", 2, "double"), ("bucket", 3, "Bucket*"), ("schema", 5, "sint32"),
                  ("zero_threshold", 6, "double"), ("zero_count", 7, "uint64"), ("positive_span", 12, "BucketSpan*"),
                  ("positive_delta", 13, "sint64*")],
    "Metric": [("label", 1, "LabelPair*"), ("gauge", 2, "Gauge"), ("counter", 3, "Counter"), ("histogram", 7, "Histogram")],
    "MetricFamily": [("name", 1, "string"), ("help", 2, "string"), ("type", 3, "uint32"), ("metric", 4, "Metric*")],
}


def family_class():
    f = descriptor_pb2.FileDescriptorProto(name="metrics.proto", package=PACKAGE, syntax="proto3")
    for message, fields in MESSAGES.items():
        m = f.message_type.add(name=message)
        for name, number, kind in fields:
            one = kind.rstrip("*")
            row = m.field.add(name=name, number=number, type=TYPES.get(one, TYPES["message"]), label=3 if kind.endswith("*") else 1)
            if one in MESSAGES:
                row.type_name = f".{PACKAGE}.{one}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(f)
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName(PACKAGE + ".MetricFamily"))


def varint(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 128:
            return n, at


def parse(data):
    """The families by name."""
    kind, families, at = family_class(), {}, 0
    while at < len(data):
        n, at = varint(data, at)
        f = kind.FromString(data[at:at + n])
        bare = kind.FromString(data[at:at + n])
        bare.DiscardUnknownFields()
        assert at + n <= len(data) and bare.ByteSize() == f.ByteSize(), f"{f.name} has fields that no one knows"
        assert f.name not in families
        families[f.name], at = f, at + n
    return families


def fine_buckets(h):
    """[(lower bound, upper bound, count)] of a native histogram."""
    out, k, count, deltas = [], 0, 0, list(h.positive_delta)
    base = 2 ** 2 ** -h.schema
    if h.zero_count:
        out.append((0, h.zero_threshold, h.zero_count))
    for span in h.positive_span:
        assert span.length and (span.offset > 0 or not k or span is h.positive_span[0]), "spans that touch"
        k += span.offset
        for _ in range(span.length):
            count += deltas.pop(0)
            assert count > 0
            out.append((base ** (k - 1), base ** k, count))
            k += 1
    assert not deltas
    return out
