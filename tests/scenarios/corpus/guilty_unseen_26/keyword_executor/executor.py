import logging

import torch
from torch.nn.utils import clip_grad_norm_

from model import max_pooling_loss

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")


class Executor:
    def __init__(self):
        self.step = 0

    def train(self, model, optimizer, data_loader, device, args):
        """Train one epoch"""
        model.train()
        for batch_idx, (_, feats, target, lengths) in enumerate(data_loader):
            feats, target, lengths = feats.to(device), target.to(device), lengths.to(device)
            loss, acc = max_pooling_loss(model(feats), target, lengths)
            loss.backward()  # <- culprit
            grad_norm = clip_grad_norm_(model.parameters(), args.get("grad_clip", 50.0))
            if torch.isfinite(grad_norm):
                optimizer.step()  # <- culprit
            self.step += 1
            if batch_idx % args["log_interval"] == 0:
                logging.info("batch %d loss %.4f acc %.3f", batch_idx, loss.item(), acc)

    def cv(self, model, data_loader, device):
        model.eval()
        total, right, n = 0.0, 0.0, 0
        with torch.no_grad():
            for _, feats, target, lengths in data_loader:
                loss, acc = max_pooling_loss(model(feats.to(device)), target.to(device), lengths)
                total, right, n = total + loss.item(), right + acc, n + 1
        return total / n, right / n
