import torch


def fingerprint_batches(n_bits, batch_size, seed=3):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(3, n_bits, generator=g)
    while True:
        x = (torch.rand(batch_size, n_bits, generator=g) < 0.2).float()
        raw = x @ w.T + 0.3 * torch.randn(batch_size, 3, generator=g)
        yield x, {
            "solubility": raw[:, 0],
            "toxicity": (raw[:, 1] > 0).float(),
            "logp": 4.0 * raw[:, 2],
        }
