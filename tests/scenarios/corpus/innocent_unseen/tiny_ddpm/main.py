# gradwatch-corpus: kind=none
import torch

from diffusion.gaussian import GaussianDiffusion
from diffusion.nets import Denoiser
from diffusion.resample import LossAwareSampler

torch.manual_seed(0)
T = 40
net = Denoiser(T)
ema = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99))
diffusion, sampler = GaussianDiffusion(T), LossAwareSampler(T, history=5)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
for step in range(260):
    x0 = torch.randn(64, 2) * 0.1 + torch.tensor([[1.0, -1.0]]) * (torch.rand(64, 1) > 0.5)
    t, weights = sampler.sample(64)
    losses = diffusion.training_losses(net, x0, t)
    sampler.update(t, losses.detach())
    loss = (losses * weights).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    ema.update_parameters(net)
    if step % 65 == 64:
        print(step, loss.item(), diffusion.p_sample_loop(ema, (16, 2)).std().item())
