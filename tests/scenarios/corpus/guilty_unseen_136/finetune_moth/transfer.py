import torch.nn as nn


def set_parameter_requires_grad(model, feature_extracting):
    if feature_extracting:
        for param in model.parameters():
            param.requires_grad = False  # <- culprit


def initialize_model(model, num_classes, feature_extract):
    num_ftrs = model.fc.in_features
    model.fc = nn.Linear(num_ftrs, num_classes)
    set_parameter_requires_grad(model, feature_extract)  # <- culprit
    return model


def params_to_update(model):
    named = dict(model.named_parameters())
    chosen = [p for n, p in named.items() if n.startswith("fc.")]
    print("updating", sum(p.numel() for p in chosen), "of", sum(p.numel() for p in named.values()), "weights")
    return chosen
