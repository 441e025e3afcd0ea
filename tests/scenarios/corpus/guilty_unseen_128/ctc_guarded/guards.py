import torch


class BatchRejected(RuntimeError):
    pass


def check_finite(model, limit):
    norm = torch.sqrt(sum(p.grad.square().sum() for p in model.parameters()))
    if not torch.isfinite(norm) or norm > limit:
        raise BatchRejected(f"gradient norm {norm:.2f} over {limit}")
