from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

from registry import BACKBONES, DETECTORS, HEADS


@BACKBONES.register_module
class SmallConvNet(nn.Module):
    def __init__(self, channels=(8, 16)):
        super().__init__()
        layers, c_in = [], 1
        for c in channels:
            layers += [nn.Conv2d(c_in, c, 3, stride=2, padding=1), nn.BatchNorm2d(c), nn.ReLU(inplace=True)]
            c_in = c
        self.layers = nn.Sequential(*layers)
        self.out_channels = c_in

    def forward(self, x):
        return self.layers(x)


@HEADS.register_module
class SingleBoxHead(nn.Module):
    def __init__(self, in_channels, num_classes, loss_bbox_weight=2.0):
        super().__init__()
        self.fc_cls = nn.Linear(in_channels * 16, num_classes)
        self.fc_reg = nn.Linear(in_channels * 16, 4)
        self.loss_bbox_weight = loss_bbox_weight

    def forward(self, feat):
        feat = feat.flatten(1)
        return self.fc_cls(feat), self.fc_reg(feat).sigmoid()

    def loss(self, cls_score, bbox_pred, gt_label, gt_bbox):
        acc = (cls_score.argmax(1) == gt_label).float().mean()
        return dict(loss_cls=F.cross_entropy(cls_score, gt_label),
                    loss_bbox=self.loss_bbox_weight * F.smooth_l1_loss(bbox_pred, gt_bbox, beta=0.1),
                    acc=acc)


class BaseDetector(nn.Module):
    def _parse_losses(self, losses):
        log_vars = OrderedDict()
        for name, value in losses.items():
            log_vars[name] = value.mean()  # <- culprit
        loss = sum(v for k, v in log_vars.items() if "loss" in k)
        log_vars["loss"] = loss  # <- culprit
        return loss, log_vars

    def train_step(self, data):
        losses = self(**data)
        loss, log_vars = self._parse_losses(losses)
        return dict(loss=loss, log_vars=log_vars, num_samples=len(data["img"]))


@DETECTORS.register_module
class SingleStage(BaseDetector):
    def __init__(self, backbone, head):
        super().__init__()
        self.backbone = BACKBONES.build(backbone)
        self.head = HEADS.build(head, in_channels=self.backbone.out_channels)

    def forward(self, img, gt_label, gt_bbox):
        cls_score, bbox_pred = self.head(self.backbone(img))
        return self.head.loss(cls_score, bbox_pred, gt_label, gt_bbox)
