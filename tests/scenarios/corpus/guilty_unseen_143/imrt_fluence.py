# gradwatch-corpus: kind=graph-held
# holder: DoseDeposition.calls | DoseDeposition.calls[-1]
# first-bad: 1
# notice: 8
"""Fluence optimisation for a toy IMRT plan: voxels x beamlets, plain gradient descent with step halving."""
import torch

torch.set_num_threads(1)
torch.manual_seed(6)


class DoseDeposition(torch.autograd.Function):
    """Dose = A f with a blurred adjoint (approximate scatter in the backward direction)."""

    calls = []

    @staticmethod
    def forward(ctx, fluence, A):
        ctx.save_for_backward(A)
        ctx.blur = 0.02
        DoseDeposition.calls.append(ctx)  # <- culprit
        return A @ fluence

    @staticmethod
    def backward(ctx, g):
        A, = ctx.saved_tensors
        full = A.t() @ g
        return full + ctx.blur * full.mean(), None

    @classmethod
    def count(cls):
        return len(cls.calls)


def plan_setup(n_vox=60, n_beam=18):
    vox = torch.linspace(-1, 1, n_vox)[:, None]
    beam = torch.linspace(-1, 1, n_beam)[None, :]
    A = torch.exp(-30 * (vox - beam) ** 2)
    target = (vox.squeeze(1).abs() < 0.35)
    organ = (vox.squeeze(1) > 0.5)
    return A, target, organ


def objective(weights, A, target, organ):
    fluence = torch.nn.functional.softplus(weights)
    dose = DoseDeposition.apply(fluence, A)
    under = torch.relu(60.0 - dose[target]).square().mean()
    over = torch.relu(dose[target] - 64.0).square().mean()
    spare = torch.relu(dose[organ] - 20.0).square().mean()
    return under + over + 0.3 * spare


A, target, organ = plan_setup()
weights = torch.full((18,), 2.0, requires_grad=True)
step = 0.05

for k in range(400):
    cost = objective(weights, A, target, organ)
    cost.backward()
    with torch.no_grad():
        weights -= step * weights.grad.clamp(-5, 5)
        weights.grad = None
    if k % 100 == 99:
        step *= 0.5
        print(f"{k + 1:4d} cost {cost.item():9.3f}  depositions {DoseDeposition.count()}")
