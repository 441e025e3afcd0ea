# gradwatch-corpus: kind=graph-held
# holder: self.sum | loss_meter.sum | self.avg | loss_meter.avg
# first-bad: 1
# after: BatsResearch/labelmodels #4 "Memory leak in training loop"; horovod PR #641 (meter given the loss with its graph)
"""Rain radar nowcasting: four frames in, two frames out."""
import torch
import torch.nn as nn

from meters import AverageMeter, ProgressMeter


def radar_sequences(n, frames, size, g):
    """Blobs of rain that move with a constant wind."""
    yy, xx = torch.meshgrid(torch.arange(size).float(), torch.arange(size).float(), indexing='ij')
    pos = size * torch.rand(n, 2, generator=g)
    vel = 2 * torch.randn(n, 2, generator=g)
    width = 2 + 2 * torch.rand(n, generator=g)
    out = []
    for t in range(frames):
        cx, cy = ((pos + t * vel) % size).unbind(1)
        d2 = (xx - cx.view(-1, 1, 1)) ** 2 + (yy - cy.view(-1, 1, 1)) ** 2
        out.append(torch.exp(-d2 / (2 * width.view(-1, 1, 1) ** 2)))
    return torch.stack(out, 1)


class NowcastNet(nn.Module):
    def __init__(self, n_in=4, n_out=2, w=16):
        super(NowcastNet, self).__init__()
        self.stem = nn.Conv2d(n_in, w, 5, padding=2)
        self.blocks = nn.ModuleList([nn.Conv2d(w, w, 3, padding=d, dilation=d) for d in (1, 2, 4)])
        self.head = nn.Conv2d(w, n_out, 1)

    def forward(self, x):
        h = torch.relu(self.stem(x))
        for conv in self.blocks:
            h = h + torch.relu(conv(h))
        return self.head(h)


def train(epoch, model, criterion, optimizer, g, batches=30):
    loss_meter = AverageMeter('Loss', ':.4e')
    csi_meter = AverageMeter('CSI', ':.3f')
    progress = ProgressMeter(batches, [loss_meter, csi_meter], prefix='Epoch: [%d]' % epoch)
    model.train()
    for i in range(batches):
        seq = radar_sequences(16, 6, 24, g)
        x, y = seq[:, :4], seq[:, 4:]
        output = model(x)
        loss = criterion(output, y)

        hit = ((output > 0.5) & (y > 0.5)).sum().float()
        union = ((output > 0.5) | (y > 0.5)).sum().float()
        loss_meter.update(loss, x.size(0))  # <- culprit
        csi_meter.update((hit / union.clamp(min=1)).item(), x.size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (i + 1) % 15 == 0:
            progress.print(i + 1)


def main():
    torch.manual_seed(8)
    g = torch.Generator().manual_seed(8)
    model = NowcastNet()
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    for epoch in range(4):
        train(epoch, model, criterion, optimizer, g)


if __name__ == '__main__':
    main()
