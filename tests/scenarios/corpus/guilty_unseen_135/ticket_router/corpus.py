import torch


def parse_config(text):
    out = {}
    for line in text.strip().splitlines():
        key, value = (s.strip() for s in line.split(":"))
        out[key] = float(value) if "." in value else int(value)
    return out


def iterate_tickets(cfg):
    g = torch.Generator().manual_seed(5)
    topic = torch.rand(cfg["queues"], cfg["vocab"], generator=g) ** 6
    while True:
        target = torch.randint(0, cfg["queues"], (cfg["batch"],), generator=g)
        tokens, offsets = [], []
        for t in target.tolist():
            offsets.append(sum(len(x) for x in tokens))
            length = int(torch.randint(4, 15, (1,), generator=g))
            tokens.append(torch.multinomial(topic[t], length, replacement=True, generator=g))
        yield torch.cat(tokens), torch.tensor(offsets), target
