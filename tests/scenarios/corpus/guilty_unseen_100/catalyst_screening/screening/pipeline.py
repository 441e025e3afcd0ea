import torch


def raw_descriptors(n_desc, batch):
    while True:
        yield torch.randn(batch, n_desc)


def with_energy(source, w, noise=0.1):
    for x in source:
        yield x, torch.tanh(x @ w) + 0.2 * x[:, 0] * x[:, 1] + noise * torch.randn(len(x))


def standardised(source):
    for x, y in source:
        yield (x - x.mean(0)) / (x.std(0) + 1e-6), y


def descriptor_batches(spec):
    w = torch.randn(spec.n_desc) / spec.n_desc ** 0.5
    return standardised(with_energy(raw_descriptors(spec.n_desc, spec.batch), w))
