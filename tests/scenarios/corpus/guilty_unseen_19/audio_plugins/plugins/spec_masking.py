import torch


def build(time, freq):
    def augment(spec):
        out = spec.clone()
        t0 = int(torch.randint(spec.shape[2] - time, ()))
        f0 = int(torch.randint(spec.shape[1] - freq, ()))
        out[:, :, t0:t0 + time] = 0
        out[:, f0:f0 + freq] = 0
        return out + 0.05 * torch.randn_like(out)
    return augment
