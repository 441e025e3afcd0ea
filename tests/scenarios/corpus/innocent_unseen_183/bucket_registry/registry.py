BUCKETS = (4, 8, 12, 16, 24)


def bucket_for(length):
    for edge in BUCKETS:
        if length <= edge:
            return edge
    return BUCKETS[-1]


class MetricRegistry:
    _cells = {}

    @classmethod
    def report(cls, name, length, value):
        cls._cells[name, bucket_for(length)] = value

    @classmethod
    def read(cls, name):
        return {b: v.item() for (n, b), v in sorted(cls._cells.items()) if n == name}
