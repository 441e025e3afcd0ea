# gradwatch-corpus: kind=second-backward
# holder: z | feats
# first-bad: 12
# notice: 0
# after: forum "DANN: backward class loss, then domain loss on the same features -> second time"
"""Cross-subject motor imagery: label classifier on the source subject, domain critic against the target."""
import torch

from nets import DomainCritic, EEGEncoder, LabelHead
from adversary import AdversarialAlignment

CFG = {
    'channels': 16, 'samples': 64, 'batch': 24, 'steps': 100,
    'warmup': 12, 'lr': 1e-3, 'max_lambda': 0.5, 'seed': 3,
}


def trials(n, shift, g):
    """Two classes: left or right half of the channels has the stronger mu rhythm."""
    y = torch.randint(0, 2, (n,), generator=g)
    t = torch.arange(CFG['samples']) / 20.0
    gain = torch.ones(n, CFG['channels'])
    half = CFG['channels'] // 2
    gain[:, :half] += y.view(-1, 1).float()
    gain[:, half:] += 1 - y.view(-1, 1).float()
    phase = 6.28 * torch.rand(n, 1, 1, generator=g)
    x = gain.unsqueeze(-1) * torch.sin(6.28 * 2 * t + phase)
    return x + shift * torch.linspace(-1, 1, CFG['channels']).view(1, -1, 1) + torch.randn(x.shape, generator=g), y


def main():
    torch.manual_seed(CFG['seed'])
    g = torch.Generator().manual_seed(CFG['seed'])
    encoder, head, critic = EEGEncoder(CFG['channels']), LabelHead(), DomainCritic()
    align = AdversarialAlignment(critic, CFG['warmup'], CFG['steps'], CFG['max_lambda'])
    params = [*encoder.parameters(), *head.parameters(), *critic.parameters()]
    optimizer = torch.optim.Adam(params, lr=CFG['lr'])
    ce = torch.nn.CrossEntropyLoss()

    for step in range(CFG['steps']):
        xs, ys = trials(CFG['batch'], 0.0, g)
        xt, _ = trials(CFG['batch'], 0.8, g)

        optimizer.zero_grad()
        z = encoder(torch.cat([xs, xt]))
        loss_label = ce(head(z[:len(xs)]), ys)
        loss_label.backward()  # <- culprit
        loss_domain = align.apply_to(z, n_source=len(xs), step=step)
        optimizer.step()

        if step % 10 == 0:
            print('step %3d  label %.3f  domain %s' % (step, loss_label.item(), loss_domain))


if __name__ == '__main__':
    main()
