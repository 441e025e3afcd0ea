import torch


def friction_torque(theta, velocity):
    """Viscous + smoothed Coulomb + offset.

    theta = (viscous coefficient, Coulomb level, sensor offset)
    """
    viscous, coulomb, offset = theta.unbind()
    return viscous * velocity + coulomb * torch.tanh(velocity / 0.1) + offset
