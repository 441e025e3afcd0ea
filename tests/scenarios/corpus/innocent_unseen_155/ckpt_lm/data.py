import torch


def copy_task(n, batch=6, half=6, vocab=16):
    for _ in range(n):
        part = torch.randint(1, vocab, (batch, half))
        yield torch.cat([part, torch.zeros(batch, 1, dtype=torch.long), part], 1)
