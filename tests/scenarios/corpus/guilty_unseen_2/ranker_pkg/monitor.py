from collections import defaultdict

EPOCH = defaultdict(float)
COUNT = defaultdict(int)


def add(name, value):
    EPOCH[name] = EPOCH[name] + value  # <- culprit
    COUNT[name] += 1


def report(epoch):
    print("epoch", epoch, *("%s=%.4f" % (k, EPOCH[k] / COUNT[k]) for k in sorted(EPOCH)))
