import torch


def interpolate(real, fake):
    eps = torch.rand(real.size(0), 1)
    return (eps * real + (1 - eps) * fake).requires_grad_(True)


def gradient_penalty(critic, real, fake):
    mix = interpolate(real, fake)
    out = critic(mix)
    grad, = torch.autograd.grad(out.sum(), mix, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


def critic_step(critic, gen, real, opt, cfg, writer, step):
    with torch.no_grad():
        fake = gen(torch.randn(real.size(0), cfg["latent"]))
    wdist = critic(real).mean() - critic(fake).mean()
    gp = gradient_penalty(critic, real, fake)
    loss = -wdist + cfg["gp_weight"] * gp
    opt.zero_grad()
    loss.backward()
    opt.step()
    writer.add_scalars("critic", {"wdist": wdist.item(), "loss": loss.item()}, step)
    writer.add_scalar("critic/penalty", gp, step)  # <- culprit
    return loss.item()


def generator_step(critic, gen, opt, cfg, writer, step):
    fake = gen(torch.randn(cfg["batch"], cfg["latent"]))
    critic.requires_grad_(False)
    loss = -critic(fake).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    critic.requires_grad_(True)
    writer.add_scalar("gen/loss", loss.item(), step)
