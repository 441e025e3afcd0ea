import torch


def event_batches(num_nodes, msg_dim, events, batch_size, seed=8):
    g = torch.Generator().manual_seed(seed)
    half = num_nodes // 2
    src = torch.randint(0, half, (events,), generator=g)
    dst = half + (3 * src + torch.randint(0, 4, (events,), generator=g)) % half
    msg = torch.randn(events, msg_dim, generator=g)
    return [(src[i:i + batch_size], dst[i:i + batch_size], msg[i:i + batch_size]) for i in range(0, events, batch_size)]
