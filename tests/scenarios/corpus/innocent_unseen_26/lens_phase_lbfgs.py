# gradwatch-corpus: kind=none
# %% [markdown]
# Phase retrieval of a lens aberration from three defocused intensity images, L-BFGS.
# %%
import math
import torch

torch.manual_seed(0)
N = 24
y, x = torch.meshgrid(torch.linspace(-1, 1, N), torch.linspace(-1, 1, N), indexing="ij")
rho, phi = torch.sqrt(x ** 2 + y ** 2), torch.atan2(y, x)
aperture = (rho <= 1).float()

# %% a few Zernike polynomials
ZERNIKE = torch.stack([
    rho * torch.cos(phi), rho * torch.sin(phi), 2 * rho ** 2 - 1, rho ** 2 * torch.cos(2 * phi),
    rho ** 2 * torch.sin(2 * phi), (3 * rho ** 3 - 2 * rho) * torch.cos(phi),
    (3 * rho ** 3 - 2 * rho) * torch.sin(phi), 6 * rho ** 4 - 6 * rho ** 2 + 1]) * aperture
DEFOCUS = [-2.0, 0.0, 2.0]


def image(coeff, defocus):
    phase = torch.einsum("k,kij->ij", coeff, ZERNIKE) + defocus * ZERNIKE[2]
    field = torch.fft.fft2(torch.polar(aperture, phase), s=(2 * N, 2 * N))
    return (field.real ** 2 + field.imag ** 2) / N ** 2


truth = 0.6 * torch.randn(len(ZERNIKE))
with torch.no_grad():
    measured = [image(truth, d) + 0.01 * torch.rand(2 * N, 2 * N) for d in DEFOCUS]

# %%
coeff = torch.zeros(len(ZERNIKE), requires_grad=True)
opt = torch.optim.LBFGS([coeff], lr=0.3, max_iter=3, history_size=6)
evaluations = []          # one float per closure call
path = []                 # coefficients after each step, tiny


def amplitude(intensity):
    return torch.sqrt(intensity + 1e-4)


def misfit():
    return sum((amplitude(image(coeff, d)) - amplitude(m)).pow(2).mean() for d, m in zip(DEFOCUS, measured))


def closure():
    opt.zero_grad()
    loss = misfit()
    loss.backward()
    evaluations.append(loss.item())
    return loss


for step in range(80):
    if step and step % 20 == 0:       # kick out of flat regions, forget the curvature
        with torch.no_grad():
            coeff.add_(0.02 * torch.randn_like(coeff))
        opt = torch.optim.LBFGS([coeff], lr=0.3, max_iter=3, history_size=6)
    loss = opt.step(closure)
    path.append(coeff.tolist())
    if step % 20 == 19:
        print(step, f"misfit {loss.item():.6f}", f"rms {math.sqrt((coeff.detach() - truth).pow(2).mean()):.3f}")
print(len(evaluations), "evaluations")
