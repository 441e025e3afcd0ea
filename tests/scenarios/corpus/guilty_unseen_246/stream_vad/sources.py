import torch

from registry import register


@register("source", "office_noise")
def office_noise(n_mels, batch, frames):
    gen = torch.Generator().manual_seed(4)
    talking = torch.zeros(batch)
    profile = torch.rand(n_mels, generator=gen)
    while True:
        mels = []
        labels = []
        for _ in range(frames):
            flip = torch.rand(batch, generator=gen) < 0.15
            talking = torch.where(flip, 1.0 - talking, talking)
            noise = 0.5 * torch.randn(batch, n_mels, generator=gen)
            mels.append(noise + talking.unsqueeze(1) * profile)
            labels.append(talking)
        yield torch.stack(mels, dim=1), torch.stack(labels, dim=1)
