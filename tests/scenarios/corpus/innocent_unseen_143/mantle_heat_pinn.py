# gradwatch-corpus: kind=none
# Cooling of an oceanic plate: T_t = kappa T_zz by a physics-informed net. The norm of the gradient is
# part of the objective for the first half of the run (flat-minimum penalty).
import torch

torch.set_num_threads(1)


class Plate(torch.nn.Module):
    def __init__(self, kappa=0.1):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(2, 14), torch.nn.Tanh(),
                                        torch.nn.Linear(14, 14), torch.nn.Tanh(), torch.nn.Linear(14, 1))
        self.kappa = kappa

    def temperature(self, z, t):
        return self.body(torch.cat([z, t], 1))

    def residual(self, z, t):
        z, t = z.requires_grad_(), t.requires_grad_()
        T = self.temperature(z, t)
        Tz, Tt = torch.autograd.grad(T.sum(), (z, t), create_graph=True)
        Tzz, = torch.autograd.grad(Tz.sum(), z, create_graph=True)
        return Tt - self.kappa * Tzz


def physics(plate, n=20):
    pde = plate.residual(torch.rand(n, 1), torch.rand(n, 1)).square().mean()
    z0 = torch.rand(n, 1)
    start = (plate.temperature(z0, torch.zeros(n, 1)) - 1).square().mean()
    t0 = torch.rand(n, 1)
    top = plate.temperature(torch.zeros(n, 1), t0).square().mean()
    return pde + start + top


def run(steps=800):
    torch.manual_seed(11)
    plate = Plate()
    opt = torch.optim.Adam(plate.parameters(), lr=3e-3)
    weights = [p for p in plate.parameters() if p.dim() == 2]
    for i in range(steps):
        opt.zero_grad(set_to_none=True)
        loss = physics(plate)
        if i < steps // 2:
            loss.backward(create_graph=True, inputs=list(plate.parameters()))
            sharp = sum(p.grad.square().sum() for p in weights)
            opt.zero_grad(set_to_none=True)
            (loss + 1e-3 * sharp).backward()
        else:
            loss.backward()
        opt.step()
        if i % 100 == 0:
            print(i, f"{loss.item():.4f}")


run()
