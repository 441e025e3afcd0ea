import torch
from torch.utils.data import DataLoader, TensorDataset


def make_species(n, n_mels=20, frames=24):
    return torch.randn(n, n_mels, frames)


def sample_calls(templates, per_class, noise=1.5):
    labels = torch.arange(len(templates)).repeat_interleave(per_class)
    spec = templates[labels] + noise * torch.randn(len(labels), *templates.shape[1:])
    return spec, labels


def query_loader(templates, shots):
    support = sample_calls(templates, shots)
    train = DataLoader(TensorDataset(*sample_calls(templates, 40)), batch_size=16, shuffle=True)
    val = DataLoader(TensorDataset(*sample_calls(templates, 8)), batch_size=28)
    return support, train, val
