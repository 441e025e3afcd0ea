import torch
import torch.nn as nn
import torch.nn.functional as F


def conv_block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ELU(), nn.MaxPool2d(2))


class RedshiftNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv_block(5, 16), conv_block(16, 24), conv_block(24, 32))
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(32 * 4, 64), nn.ELU(), nn.Linear(64, 2))

    def forward(self, batch):
        mu, log_var = self.head(self.body(batch['rgb'])).unbind(-1)
        return mu, log_var.clamp(-6, 3)


class RedshiftWrapper(nn.Module):
    """Holds model and losses, in the manner of a LightningModule."""

    def __init__(self, lr):
        super().__init__()
        self.model = RedshiftNet()
        self.lr = lr

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.model.parameters(), lr=self.lr)
        return opt, torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.5)

    def training_step(self, batch, batch_idx):
        mu, log_var = self.model(batch)
        nll = 0.5 * ((batch['z'] - mu) ** 2 * torch.exp(-log_var) + log_var)
        return {
            'loss': nll.mean(),
            'metrics': {'rmse': F.mse_loss(mu.detach(), batch['z']).sqrt()},
        }

    def training_epoch_end(self, outputs):
        avg = torch.stack([o['loss'].detach() for o in outputs]).mean()
        rmse = torch.stack([o['metrics']['rmse'] for o in outputs]).mean()
        return {'avg_train_loss': avg.item(), 'avg_train_rmse': rmse.item()}

    @torch.no_grad()
    def validation_step(self, batch):
        mu, _ = self.model(batch)
        return ((mu - batch['z']).abs() / (1 + batch['z'])).median().item()
