import torch.nn as nn


class ConvBNAct(nn.Sequential):
    def __init__(self, cin, cout, stride):
        super().__init__(nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.SiLU())


class MiniEffNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(ConvBNAct(3, 8, 2), ConvBNAct(8, 12, 2), ConvBNAct(12, 16, 1))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(16, 1000)

    def forward(self, x):
        return self.classifier(self.pool(self.features(x)).flatten(1))


def set_parameter_requires_grad(model, feature_extracting):
    if feature_extracting:
        for param in model.parameters():
            param.requires_grad = False  # <- culprit


def get_model(num_classes, feature_extract):
    model_ft = MiniEffNet()
    model_ft.classifier = nn.Linear(model_ft.classifier.in_features, num_classes)
    set_parameter_requires_grad(model_ft, feature_extract)  # <- culprit
    return model_ft
