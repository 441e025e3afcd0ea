import torch


def synthetic_stream(num_nodes, msg_dim, events, batch_size):
    g = torch.Generator().manual_seed(99)
    src = torch.randint(0, num_nodes // 2, (events,), generator=g)
    dst = num_nodes // 2 + (src * 7 + torch.randint(0, 3, (events,), generator=g)) % (num_nodes // 2)
    t = torch.rand(events, generator=g).cumsum(0)
    msg = torch.randn(events, msg_dim, generator=g)
    return [tuple(x[i:i + batch_size] for x in (src, dst, t, msg)) for i in range(0, events, batch_size)]
