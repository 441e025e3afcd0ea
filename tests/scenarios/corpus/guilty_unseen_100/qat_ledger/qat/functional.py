import torch


class FakeQuant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit, levels, layer, ledger):
        ctx.x = x  # <- culprit
        ctx.limit = limit
        ctx.layer = layer
        inside = x.abs() <= limit
        ctx.clipped = 1.0 - inside.float().mean().item()
        ledger.enter(ctx)  # <- culprit
        step = limit / levels
        return torch.round(x.clamp(-limit, limit) / step) * step

    @staticmethod
    def backward(ctx, grad):
        gate = (ctx.x.abs() <= ctx.limit).to(grad.dtype)
        out = grad * gate
        ctx.kept = (out.norm() / grad.norm().clamp_min(1e-12)).item()
        return out, None, None, None, None


def fake_quant(x, limit, bits, layer, ledger):
    return FakeQuant.apply(x, limit, 2 ** (bits - 1) - 1, layer, ledger)
