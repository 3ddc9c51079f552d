"""The devices by DLPack's numbers, and the one where all tensors are; loaded when somebody asks for them."""

from enum import IntEnum


class DLDeviceType(IntEnum):
    """The devices, by DLPack's numbers."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17


#: where tensors lie: on the CPU, of which there is one
HERE = (DLDeviceType.kDLCPU, 0)
