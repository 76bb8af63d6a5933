//===- OrtTables.h - the part of ONNX Runtime's C interface in use -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX Runtime hands out tables of functions that only ever grow at the end.
// This file names the slots that the provider uses, by their positions, and the
// structs that it fills in, as they are in version 1.23, the first whose
// providers may compile. Nothing of ONNX Runtime is included or linked.
//===----------------------------------------------------------------------===//
#ifndef TENON_TOOLS_ONNXRUNTIME_ORTTABLES_H
#define TENON_TOOLS_ONNXRUNTIME_ORTTABLES_H

#include <cstddef>
#include <cstdint>

struct OrtStatus;
struct OrtValue;
struct OrtTypeInfo;
struct OrtTensorTypeAndShapeInfo;
struct OrtValueInfo;
struct OrtNode;
struct OrtGraph;
struct OrtOpAttr;
struct OrtLogger;
struct OrtKernelContext;
struct OrtKeyValuePairs;
struct OrtSessionOptions;
struct OrtHardwareDevice;
struct OrtEpDevice;
struct OrtEpGraphSupportInfo;
struct OrtNodeComputeContext;
struct OrtMemoryInfo;
struct OrtMemoryDevice;
struct OrtAllocator;
struct OrtDataTransferImpl;
struct OrtSyncStreamImpl;
struct OrtRunOptions;
struct OrtEp;
struct OrtEpFactory;

namespace tenon::ort {

/// The version of the tables, and of the structs below.
constexpr uint32_t apiVersion = 23;

enum { failed = 1, invalidArgument = 2 }; // error codes
enum { levelInfo = 1, levelWarning = 2 }; // of logs
enum { typeTensor = 1 };                  // kinds of values
enum { deviceCpu = 0 };                   // kinds of devices
enum AttributeType {
  attributeUnknown,
  attributeInt,
  attributeInts,
  attributeFloat,
  attributeFloats,
  attributeString,
  attributeStrings,
  attributeGraph,
  attributeTensor
};

struct ApiBase {
  const void *const *(*getApi)(uint32_t version);
  const char *(*getVersionString)();
};

// clang-format off
/// SLOT(position, name, result, parameters) for each function in use.
#define TENON_ORT_SLOTS(SLOT)                                                  \
  SLOT(0, CreateStatus, OrtStatus *, (int, const char *))                      \
  SLOT(51, GetTensorMutableData, OrtStatus *, (OrtValue *, void **))           \
  SLOT(55, CastTypeInfoToTensorInfo, OrtStatus *, (const OrtTypeInfo *, const OrtTensorTypeAndShapeInfo **)) \
  SLOT(56, GetOnnxTypeFromTypeInfo, OrtStatus *, (const OrtTypeInfo *, int *)) \
  SLOT(60, GetTensorElementType, OrtStatus *, (const OrtTensorTypeAndShapeInfo *, int *)) \
  SLOT(61, GetDimensionsCount, OrtStatus *, (const OrtTensorTypeAndShapeInfo *, size_t *)) \
  SLOT(62, GetDimensions, OrtStatus *, (const OrtTensorTypeAndShapeInfo *, int64_t *, size_t)) \
  SLOT(63, GetSymbolicDimensions, OrtStatus *, (const OrtTensorTypeAndShapeInfo *, const char **, size_t)) \
  SLOT(65, GetTensorTypeAndShape, OrtStatus *, (const OrtValue *, OrtTensorTypeAndShapeInfo **)) \
  SLOT(90, KernelContext_GetInput, OrtStatus *, (const OrtKernelContext *, size_t, const OrtValue **)) \
  SLOT(91, KernelContext_GetOutput, OrtStatus *, (OrtKernelContext *, size_t, const int64_t *, size_t, OrtValue **)) \
  SLOT(93, ReleaseStatus, void, (OrtStatus *))                                 \
  SLOT(96, ReleaseValue, void, (OrtValue *))                                   \
  SLOT(99, ReleaseTensorTypeAndShapeInfo, void, (OrtTensorTypeAndShapeInfo *)) \
  SLOT(211, CreateOpAttr, OrtStatus *, (const char *, const void *, int, int, OrtOpAttr **)) \
  SLOT(212, ReleaseOpAttr, void, (OrtOpAttr *))                                \
  SLOT(247, Logger_LogMessage, OrtStatus *, (const OrtLogger *, int, const char *, const char *, int, const char *)) \
  SLOT(272, ReadOpAttr, OrtStatus *, (const OrtOpAttr *, int, void *, size_t, size_t *)) \
  SLOT(274, KernelContext_ParallelFor, OrtStatus *, (const OrtKernelContext *, void (*)(void *, size_t), size_t, size_t, void *)) \
  SLOT(289, GetValueInfoName, OrtStatus *, (const OrtValueInfo *, const char **)) \
  SLOT(290, GetValueInfoTypeInfo, OrtStatus *, (const OrtValueInfo *, const OrtTypeInfo **)) \
  SLOT(291, GetModelEditorApi, const void *const *, ())                        \
  SLOT(298, GetKeyValuePairs, void, (const OrtKeyValuePairs *, const char *const **, const char *const **, size_t *)) \
  SLOT(300, ReleaseKeyValuePairs, void, (OrtKeyValuePairs *))                  \
  SLOT(307, HardwareDevice_Type, int, (const OrtHardwareDevice *))             \
  SLOT(317, GetEpApi, const void *const *, ())                                 \
  SLOT(318, GetTensorSizeInBytes, OrtStatus *, (const OrtValue *, size_t *))   \
  SLOT(326, ValueInfo_GetInitializerValue, OrtStatus *, (const OrtValueInfo *, const OrtValue **)) \
  SLOT(330, ValueInfo_IsGraphOutput, OrtStatus *, (const OrtValueInfo *, bool *)) \
  SLOT(331, ValueInfo_IsConstantInitializer, OrtStatus *, (const OrtValueInfo *, bool *)) \
  SLOT(335, Graph_GetOnnxIRVersion, OrtStatus *, (const OrtGraph *, int64_t *)) \
  SLOT(336, Graph_GetNumOperatorSets, OrtStatus *, (const OrtGraph *, size_t *)) \
  SLOT(337, Graph_GetOperatorSets, OrtStatus *, (const OrtGraph *, const char **, int64_t *, size_t)) \
  SLOT(344, Graph_GetNumNodes, OrtStatus *, (const OrtGraph *, size_t *))      \
  SLOT(345, Graph_GetNodes, OrtStatus *, (const OrtGraph *, const OrtNode **, size_t)) \
  SLOT(346, Graph_GetParentNode, OrtStatus *, (const OrtGraph *, const OrtNode **)) \
  SLOT(349, Node_GetName, OrtStatus *, (const OrtNode *, const char **))       \
  SLOT(350, Node_GetOperatorType, OrtStatus *, (const OrtNode *, const char **)) \
  SLOT(351, Node_GetDomain, OrtStatus *, (const OrtNode *, const char **))     \
  SLOT(353, Node_GetNumInputs, OrtStatus *, (const OrtNode *, size_t *))       \
  SLOT(354, Node_GetInputs, OrtStatus *, (const OrtNode *, const OrtValueInfo **, size_t)) \
  SLOT(355, Node_GetNumOutputs, OrtStatus *, (const OrtNode *, size_t *))      \
  SLOT(356, Node_GetOutputs, OrtStatus *, (const OrtNode *, const OrtValueInfo **, size_t)) \
  SLOT(357, Node_GetNumImplicitInputs, OrtStatus *, (const OrtNode *, size_t *)) \
  SLOT(358, Node_GetImplicitInputs, OrtStatus *, (const OrtNode *, const OrtValueInfo **, size_t)) \
  SLOT(359, Node_GetNumAttributes, OrtStatus *, (const OrtNode *, size_t *))   \
  SLOT(360, Node_GetAttributes, OrtStatus *, (const OrtNode *, const OrtOpAttr **, size_t)) \
  SLOT(362, OpAttr_GetTensorAttributeAsOrtValue, OrtStatus *, (const OrtOpAttr *, OrtValue **)) \
  SLOT(363, OpAttr_GetType, OrtStatus *, (const OrtOpAttr *, int *))           \
  SLOT(364, OpAttr_GetName, OrtStatus *, (const OrtOpAttr *, const char **))   \
  SLOT(365, Node_GetNumSubgraphs, OrtStatus *, (const OrtNode *, size_t *))    \
  SLOT(368, Node_GetEpName, OrtStatus *, (const OrtNode *, const char **))     \
  SLOT(378, GetTensorData, OrtStatus *, (const OrtValue *, const void **))     \
  SLOT(379, GetSessionOptionsConfigEntries, OrtStatus *, (const OrtSessionOptions *, OrtKeyValuePairs **))

/// Not there before version 1.24: a shape of no dimensions could be none.
#define TENON_ORT_LATE_SLOTS(SLOT)                                             \
  SLOT(390, TensorTypeAndShape_HasShape, bool, (const OrtTensorTypeAndShapeInfo *))

struct NodeFusionOptions {
  uint32_t version;
  bool dropConstantInitializers;
};

/// Those of the table for providers.
#define TENON_ORT_PROVIDER_SLOTS(SLOT)                                         \
  SLOT(0, CreateEpDevice, OrtStatus *, (OrtEpFactory *, const OrtHardwareDevice *, const OrtKeyValuePairs *, const OrtKeyValuePairs *, OrtEpDevice **)) \
  SLOT(2, EpGraphSupportInfo_AddNodesToFuse, OrtStatus *, (OrtEpGraphSupportInfo *, const OrtNode *const *, size_t, const NodeFusionOptions *))

/// Those of the table that makes models.
#define TENON_ORT_EDITOR_SLOTS(SLOT)                                           \
  SLOT(6, CreateNode, OrtStatus *, (const char *, const char *, const char *, const char *const *, size_t, const char *const *, size_t, OrtOpAttr **, size_t, OrtNode **))
// clang-format on

} // namespace tenon::ort

/// A compiled set of nodes. ReleaseState has nothing to do for ours.
struct OrtNodeComputeInfo {
  uint32_t version;
  OrtStatus *(*createState)(OrtNodeComputeInfo *, OrtNodeComputeContext *,
                            void **);
  OrtStatus *(*compute)(OrtNodeComputeInfo *, void *, OrtKernelContext *);
  void (*releaseState)(OrtNodeComputeInfo *, void *);
};

/// A provider, one for each session. What is NULL has a default.
struct OrtEp {
  uint32_t version;
  const char *(*getName)(const OrtEp *);
  OrtStatus *(*getCapability)(OrtEp *, const OrtGraph *,
                              OrtEpGraphSupportInfo *);
  OrtStatus *(*compile)(OrtEp *, const OrtGraph **, const OrtNode **, size_t,
                        OrtNodeComputeInfo **, OrtNode **);
  void (*releaseNodeComputeInfos)(OrtEp *, OrtNodeComputeInfo **, size_t);
  void *getPreferredDataLayout;
  void *shouldConvertDataLayoutForOp;
  void *setDynamicOptions;
  void *onRunStart;
  void *onRunEnd;
  void *createAllocator;
  void *createSyncStreamForDevice;
  void *getCompiledModelCompatibilityInfo;
};

struct OrtEpFactory {
  uint32_t version;
  const char *(*getName)(const OrtEpFactory *);
  const char *(*getVendor)(const OrtEpFactory *);
  OrtStatus *(*getSupportedDevices)(OrtEpFactory *,
                                    const OrtHardwareDevice *const *, size_t,
                                    OrtEpDevice **, size_t, size_t *);
  OrtStatus *(*createEp)(OrtEpFactory *, const OrtHardwareDevice *const *,
                         const OrtKeyValuePairs *const *, size_t,
                         const OrtSessionOptions *, const OrtLogger *,
                         OrtEp **);
  void (*releaseEp)(OrtEpFactory *, OrtEp *);
  uint32_t (*getVendorId)(const OrtEpFactory *);
  const char *(*getVersion)(const OrtEpFactory *);
  void *validateCompiledModelCompatibilityInfo;
  OrtStatus *(*createAllocator)(OrtEpFactory *, const OrtMemoryInfo *,
                                const OrtKeyValuePairs *, OrtAllocator **);
  void (*releaseAllocator)(OrtEpFactory *, OrtAllocator *);
  OrtStatus *(*createDataTransfer)(OrtEpFactory *, OrtDataTransferImpl **);
  bool (*isStreamAware)(const OrtEpFactory *);
  void *createSyncStreamForDevice;
};

#endif // TENON_TOOLS_ONNXRUNTIME_ORTTABLES_H
